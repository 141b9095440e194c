"""The consequences of a child's failure."""

from __future__ import annotations

import pytest

from podium.judging.rules import Consequence, consequence_of, seconds_until_retry, tries_after
from podium.judging.service.failures import LIMITS
from podium.sandbox import FailureReason

FIRST = {
    FailureReason.MEMORY: Consequence.RETRY,
    FailureReason.CRASH: Consequence.RETRY,
    FailureReason.NO_ANSWER: Consequence.RETRY,
    FailureReason.WALL_TIME: Consequence.REJECT,
    FailureReason.CPU_TIME: Consequence.REJECT,
    FailureReason.FILE_SIZE: Consequence.REJECT,
    FailureReason.STOPPED: Consequence.HAND_BACK,
    FailureReason.NOT_STARTED: Consequence.LATER,
    FailureReason.OUR_ERROR: Consequence.LATER,
    FailureReason.LACK_OF_MEMORY: Consequence.LATER,
    FailureReason.NOT_ISOLATED: Consequence.LATER,
    FailureReason.NOT_ALLOWED: Consequence.LATER,
}


@pytest.mark.parametrize("death", list(FailureReason))
def test_the_first_death_of_each_kind_has_its_consequence(death: FailureReason) -> None:
    assert consequence_of(death, child_deaths=0) is FIRST[death]


@pytest.mark.parametrize("death", list(FailureReason))
def test_a_second_death_rejects_where_the_first_allowed_a_retry(death: FailureReason) -> None:
    first = FIRST[death]
    expected = Consequence.REJECT if first is Consequence.RETRY else first
    assert consequence_of(death, child_deaths=1) is expected


def test_a_rejected_file_is_told_what_it_used_up() -> None:
    told = {
        death for death, first in FIRST.items() if first in (Consequence.RETRY, Consequence.REJECT)
    }
    assert set(LIMITS) == told


def test_we_wait_longer_after_each_failure_of_ours_but_never_more_than_a_minute() -> None:
    assert [seconds_until_retry(number) for number in (1, 2, 3, 10)] == [2, 4, 8, 60]


def test_a_full_machine_is_given_minutes_before_people_shall_look() -> None:
    tries = tries_after(FailureReason.LACK_OF_MEMORY)
    assert tries > tries_after(FailureReason.OUR_ERROR)
    assert sum(map(seconds_until_retry, range(1, tries))) > 240
