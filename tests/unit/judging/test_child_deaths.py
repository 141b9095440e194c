"""What follows when a judging's child died."""

from __future__ import annotations

import pytest

from podium.judging.rules import Consequence, consequence_of, seconds_until_retry, tries_after
from podium.sandbox import Death

FIRST = {
    Death.MEMORY: Consequence.RETRY,
    Death.CRASH: Consequence.RETRY,
    Death.NO_ANSWER: Consequence.RETRY,
    Death.WALL_TIME: Consequence.REJECT,
    Death.CPU_TIME: Consequence.REJECT,
    Death.FILE_SIZE: Consequence.REJECT,
    Death.STOPPED: Consequence.HAND_BACK,
    Death.NOT_STARTED: Consequence.LATER,
    Death.OUR_ERROR: Consequence.LATER,
    Death.LACK_OF_MEMORY: Consequence.LATER,
    Death.NO_WALLS: Consequence.LATER,
}


@pytest.mark.parametrize("death", list(Death))
def test_the_first_death_of_each_kind_has_its_consequence(death: Death) -> None:
    assert consequence_of(death, child_deaths=0) is FIRST[death]


@pytest.mark.parametrize("death", list(Death))
def test_a_second_death_rejects_where_the_first_allowed_a_retry(death: Death) -> None:
    first = FIRST[death]
    expected = Consequence.REJECT if first is Consequence.RETRY else first
    assert consequence_of(death, child_deaths=1) is expected


def test_we_wait_longer_after_each_failure_of_ours_but_never_more_than_a_minute() -> None:
    assert [seconds_until_retry(number) for number in (1, 2, 3, 10)] == [2, 4, 8, 60]


def test_a_full_machine_is_given_minutes_before_people_shall_look() -> None:
    tries = tries_after(Death.LACK_OF_MEMORY)
    assert tries > tries_after(Death.OUR_ERROR)
    assert sum(map(seconds_until_retry, range(1, tries))) > 240
