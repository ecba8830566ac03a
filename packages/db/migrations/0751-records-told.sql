-- How far a record was told is asked for whichever endpoint was told it, with every event about it.
create index if not exists webhook_record_of_record on webhook_record (org_id, record_id);
