#define DYNID_EIGEN_INSTANCE template
#include "dynid/math/eigen_instances.h"
