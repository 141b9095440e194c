"""Routes of boards, of charts of them, and of what organizers see in the scores."""
