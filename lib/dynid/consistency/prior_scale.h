#pragma once

#include "dynid/consistency/physical_fit.h"

namespace dynid {

/// sigma: the factor on the links' prior that explains the data best,
///
///     sigma = (r . z) / (r . r),   r = sum over links of R_k prior_k,
///
/// with r and z outside the span of columns that are no links: payloads, and friction, drives and
/// springs as well where the prior's masses are those of the description (trust_prior_scale). With
/// a rough prior, the columns of friction, drives and springs are not removed: its distribution of
/// mass differs from that of the links, and these columns would take up effort that belongs to the
/// links.
///
/// - Described masses in known units (scale_known) are kept (sigma = 1) if the estimate of sigma
///   lies between 0.77 and 1.3 or within ten standard deviations of 1.
/// - Otherwise sigma is limited to [0.05, 20].
/// - In unknown units sigma has no limits: it is proportional to z. Where the projection is smaller
///   than 0.05 ||z|| / ||r||, it is that.
double priorScale(const PhysicalFitProblem& problem);

}  // namespace dynid
