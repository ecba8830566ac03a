-- What became of the notifications of one payment or deposit: the list of transactions shows it, and is narrowed by it.
create index if not exists webhook_delivery_record on webhook_delivery (org_id, record_id, state);
