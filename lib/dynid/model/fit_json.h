#pragma once

#include "dynid/consistency/physical_fit_result.h"
#include "dynid/model/json_place.h"
#include "dynid/model/json_text.h"
#include "dynid/model/model.h"

#include <vector>

namespace dynid {

/// Lists of numbers, rows of a matrix: each entry as jsonNumber.
Json jsonVector(const Eigen::Ref<const Eigen::VectorXd>& v);
Json jsonMatrix(const Eigen::Ref<const Eigen::MatrixXd>& M);

/// The proof of optimality with every number that checkCertificate needs, to the last bit.
Json writeCertificate(const Certificate& certificate);
/// @throws InputError naming the key whose size does not fit `A` [rank x unknowns].
Certificate readCertificate(const JsonPlace& place);

/// The keys of `consistency` that belong to the fit itself (not `prior`, not `certificate`).
Json writeFitResult(const PhysicalFitResult& result);
PhysicalFitResult readFitResult(const JsonPlace& place);

/// The fits of wrench sensors, by channel (`fit.per_sensor`).
Json writeSensorFits(const std::vector<SensorFit>& sensors);
std::vector<SensorFit> readSensorFits(const JsonPlace& place);

}  // namespace dynid
