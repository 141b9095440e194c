"""Settings of a competition say all about themselves, and are stored as they always were."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from podium.core.competition_settings import CompetitionSettings
from podium.core.competition_settings.fields import example_of, setting, words_of
from podium.core.competition_settings.presets import PRESETS


class Opening(BaseModel):
    """Settings of a shop."""

    closes: int | None = setting(
        "Closes at", "The hour.", none="never", example=18, is_sparse=True, default=None, le=24
    )
    sells: Literal["bread", "cake"] = setting(
        "Sells", "What there is.", values={"bread": "Bread", "cake": "Cakes"}, default="bread"
    )
    motto: str = setting("Motto", "Above the door.", none="there is none", default="")


def test_a_setting_tells_its_values_and_what_none_means() -> None:
    described = Opening.model_json_schema()["properties"]
    assert {name: member["description"] for name, member in described.items()} == {
        "closes": "The hour. Null: never.",
        "sells": "What there is. `bread` (Bread), `cake` (Cakes).",
        "motto": "Above the door. Empty: there is none.",
    }
    assert described["closes"]["examples"] == [18]
    assert "examples" not in described["sells"]
    fields = Opening.model_fields
    assert [example_of(fields[name]) for name in fields] == [18, "bread", ""]
    assert words_of(fields["motto"]).label == "Motto"


def test_a_sparse_setting_is_left_out_where_it_has_its_default() -> None:
    assert Opening().model_dump() == {"sells": "bread", "motto": ""}
    assert Opening(closes=17).model_dump()["closes"] == 17


def test_settings_are_stored_in_the_order_of_old_documents() -> None:
    stored = CompetitionSettings.model_validate(
        {**PRESETS["toxic-comments"], "registration": "code", "registration_code": "spring"}
    )
    assert " ".join(stored.model_dump()) == (
        "table_columns own_metric metric_source_is_public task objectives objective_metrics metric"
        " diagnostics id_column item_column labels_column query_ids item_ids missing_rows"
        " duplicates submission_duplicates split daily_limit total_limit final_selections team_size"
        " max_upload_bytes max_expanded_bytes decimals board objective_scores registration"
        " registration_code late_submissions accept_uploads judge_uploads concurrent_uploads rules"
        " summary image"
    )
