#pragma once

/// The public surface of the library: everything that a program needs to load a robot, identify a
/// model from logs, validate it, simulate, and design excitation trajectories. Headers that are not
/// reached from here are private and not installed.

#include "dynid/core/errors.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/dynamics/projection.h"
#include "dynid/excitation/design.h"
#include "dynid/identification/identify.h"
#include "dynid/logs/log_reader.h"
#include "dynid/logs/log_writer.h"
#include "dynid/logs/trajectory_file.h"
#include "dynid/model/json.h"
#include "dynid/model/model_efforts.h"
#include "dynid/prediction/model_from_description.h"
#include "dynid/prediction/operating_points.h"
#include "dynid/prediction/predict.h"
#include "dynid/report/validation_json.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"
#include "dynid/validation/validate.h"
