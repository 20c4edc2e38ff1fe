"""Dynamic parameter identification of robots.

    import dynid
    robot = dynid.load_robot("arm.toml")
    result = dynid.identify(robot, ["train.h5"])
    print(dynid.validate(result.model, "heldout.h5"))

All numbers are SI; Model.effort_unit says where a model is in amperes. Errors are exceptions with the text
that the program would print.
"""

from ._core import (  # noqa: F401
    BaseParameters,
    Excitation,
    Identification,
    InputError,
    LinkInertia,
    Log,
    Model,
    OutputError,
    Robot,
    UsageError,
    Validation,
    __version__,
    excite,
    identify,
    inverse_dynamics,
    load_robot,
    predict,
    read_log,
    read_model,
    regressor,
    simulate,
    validate,
)

__all__ = [name for name in dir() if not name.startswith("_")]
