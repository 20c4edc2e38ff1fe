from os import PathLike
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

Path = Union[str, "PathLike[str]"]
Progress = Optional[Callable[[str, float], None]]
Array = NDArray[np.float64]

__version__: str

class UsageError(ValueError): ...
class InputError(ValueError): ...
class OutputError(OSError): ...

class Robot:
    @property
    def name(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def joints(self) -> list[str]: ...
    @property
    def links(self) -> list[str]: ...
    @property
    def gravity(self) -> Array: ...
    @property
    def limits(self) -> dict[str, dict[str, Any]]: ...
    @property
    def parameters(self) -> list[str]: ...

class Log:
    def __init__(
        self,
        *,
        time: ArrayLike,
        position: ArrayLike,
        joint_names: Sequence[str],
        effort: Optional[ArrayLike] = None,
        current: Optional[ArrayLike] = None,
        velocity: Optional[ArrayLike] = None,
        acceleration: Optional[ArrayLike] = None,
        prismatic: Sequence[str] = ...,
    ) -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def joint_names(self) -> list[str]: ...
    @property
    def rows(self) -> int: ...
    @property
    def time(self) -> Array: ...
    @property
    def position(self) -> Array: ...
    @property
    def velocity(self) -> Optional[Array]: ...
    @property
    def acceleration(self) -> Optional[Array]: ...
    @property
    def effort(self) -> Optional[Array]: ...
    def save(self, path: Path) -> None: ...

class LinkInertia:
    @property
    def name(self) -> str: ...
    @property
    def mass(self) -> float: ...
    @property
    def first_moment(self) -> Array: ...
    @property
    def inertia(self) -> Array: ...
    @property
    def center_of_mass(self) -> Array: ...

class BaseParameters:
    @property
    def names(self) -> list[str]: ...
    @property
    def expressions(self) -> list[str]: ...
    @property
    def units(self) -> list[str]: ...
    @property
    def values(self) -> Array: ...
    @property
    def std_dev(self) -> Array: ...
    @property
    def lower_95(self) -> Array: ...
    @property
    def upper_95(self) -> Array: ...
    @property
    def covariance(self) -> Array: ...
    def __len__(self) -> int: ...

class Model:
    @property
    def robot(self) -> Robot: ...
    @property
    def usable(self) -> bool: ...
    @property
    def reason(self) -> str: ...
    @property
    def assumptions(self) -> list[str]: ...
    @property
    def joint_status(self) -> dict[str, list[str]]: ...
    @property
    def effort_unit(self) -> str: ...
    @property
    def links(self) -> dict[str, LinkInertia]: ...
    @property
    def joints(self) -> dict[str, Any]: ...
    @property
    def base_parameters(self) -> BaseParameters: ...
    @property
    def parameters(self) -> Array: ...
    def torque(self, q: ArrayLike, dq: ArrayLike, ddq: ArrayLike) -> Array: ...
    def gravity(self, q: ArrayLike) -> Array: ...
    def mass_matrix(self, q: ArrayLike) -> Array: ...
    def to_dict(self) -> dict[str, Any]: ...
    def save(self, path: Path) -> None: ...

class Identification:
    @property
    def model(self) -> Model: ...
    @property
    def audits(self) -> list[list[dict[str, Any]]]: ...
    @property
    def usable(self) -> bool: ...
    @property
    def reason(self) -> str: ...

class Validation:
    @property
    def passed(self) -> bool: ...
    @property
    def verdict(self) -> str: ...
    @property
    def reasons(self) -> list[str]: ...
    @property
    def relative_error(self) -> float: ...
    @property
    def per_joint(self) -> dict[str, Any]: ...
    def to_dict(self) -> dict[str, Any]: ...

class Excitation:
    @property
    def feasible(self) -> bool: ...
    @property
    def reasons(self) -> list[str]: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def condition_number(self) -> float: ...
    @property
    def joint_names(self) -> list[str]: ...
    @property
    def time(self) -> Array: ...
    @property
    def position(self) -> Array: ...
    @property
    def velocity(self) -> Array: ...
    @property
    def acceleration(self) -> Array: ...
    def save(self, path: Path) -> None: ...

def load_robot(path: Path, exclude_joints: Sequence[str] = ...) -> Robot: ...
def read_log(path: Path) -> Log: ...
def read_model(path: Path) -> Model: ...
def identify(
    robot: Robot,
    logs: Union[Log, Path, Sequence[Union[Log, Path]]],
    *,
    payloads: Optional[Sequence[Optional[str]]] = None,
    progress: Progress = None,
    cutoff_hz: float = ...,
    motion: str = ...,
    still_speed: float = ...,
    robust: bool = ...,
    margin: float = ...,
    second_stage: bool = ...,
    gap_tolerance: float = ...,
    equations: str = ...,
    window_s: float = ...,
    blocks: int = ...,
    from_s: float = ...,
    to_s: float = ...,
    force: bool = ...,
    threads: int = ...,
    statistics: Sequence[Path] = ...,
    apply_diagnosis: bool = ...,
) -> Identification: ...
def validate(
    model: Model,
    log: Union[Log, Path],
    *,
    progress: Progress = None,
    payload: str = ...,
    from_s: float = ...,
    to_s: float = ...,
    force: bool = ...,
    threads: int = ...,
    max_relative_error: float = ...,
    max_joint_relative_error: float = ...,
    max_excess_error: float = ...,
    max_error_over_training: float = ...,
    min_mass_matrix_eigenvalue: float = ...,
    max_gap: float = ...,
    max_energy_error: float = ...,
    apply_diagnosis: bool = ...,
) -> Validation: ...
def predict(
    model: Model, log: Union[Log, Path], *, payload: str = "", progress: Progress = None
) -> dict[str, Array]: ...
def regressor(robot: Robot, q: ArrayLike, dq: ArrayLike, ddq: ArrayLike) -> Array: ...
def inverse_dynamics(
    robot: Robot, parameters: ArrayLike, q: ArrayLike, dq: ArrayLike, ddq: ArrayLike
) -> Array: ...
def excite(
    robot: Robot,
    *,
    seconds: float = 60.0,
    progress: Progress = None,
    duration_s: float = ...,
    harmonics: int = ...,
    periods: int = ...,
    rate_hz: float = ...,
    noise: Sequence[float] = ...,
    from_rest: bool = ...,
    start: Sequence[float] = ...,
    criterion: str = ...,
    max_velocity: Sequence[float] = ...,
    max_acceleration: Sequence[float] = ...,
    max_jerk: Sequence[float] = ...,
    position_share: float = ...,
    velocity_share: float = ...,
    acceleration_share: float = ...,
    effort_share: float = ...,
    ignore_effort: bool = ...,
    link_radius: float = ...,
    clearance: float = ...,
    ignore_space: bool = ...,
    statistics: Sequence[Path] = ...,
    payload_link: str = ...,
    payload_mass: float = ...,
    seed: int = ...,
    starts: int = ...,
    threads: int = ...,
) -> Excitation: ...
def simulate(
    of: Union[Robot, Model],
    *,
    progress: Progress = None,
    trajectory: Path = ...,
    seed: int = ...,
    truth_seed: int = ...,
    rate_hz: float = ...,
    duration_s: float = ...,
    effort_noise: float = ...,
    effort_noise_relative: float = ...,
    effort_noise_correlation_s: float = ...,
    encoder_step: float = ...,
    velocity_noise: float = ...,
    velocity: bool = ...,
    acceleration: bool = ...,
) -> Log: ...
