"""Which attacks are there?"""

from attack import (
    commands,
    concurrency,
    damage,
    disks,
    floods,
    hostile_files,
    kills,
    living,
    non_interference,
    poisoning,
    power_cut,
    web,
)
from attack.outcome import Attack

ATTACKS: tuple[Attack, ...] = (
    *kills.ATTACKS,
    power_cut.ATTACK,
    damage.ATTACK,
    disks.ATTACK,
    web.ATTACK,
    commands.ATTACK,
    hostile_files.ATTACK,
    concurrency.ATTACK,
    living.ATTACK,
    non_interference.ATTACK,
    poisoning.ATTACK,
    floods.ATTACK,
)
