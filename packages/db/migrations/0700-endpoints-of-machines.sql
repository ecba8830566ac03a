-- The address that an API key of door two is called back at. It stands in the settings of the key, which people confirm; this row is what its notifications hang on.
alter table webhook_endpoint add column if not exists machine_id text check (char_length(machine_id) between 1 and 64);
-- One for each key, for ever: what is numbered within a record goes on after the key was off.
create unique index if not exists webhook_endpoint_of_machine on webhook_endpoint (org_id, machine_id) where machine_id is not null;
