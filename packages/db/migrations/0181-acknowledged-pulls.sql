-- Who has seen that somebody took tokens under an allowance, and when; people are told of it no more.
alter table token_pull add column if not exists acknowledged_by uuid;
alter table token_pull add column if not exists acknowledged_at bigint check (acknowledged_at is null or acknowledged_by is not null);
grant update (acknowledged_by, acknowledged_at) on token_pull to holdfast_app;

create index if not exists token_pull_recent on token_pull (org_id, created_at, id);

-- What was taken stands among the transactions, and is filed like them.
alter table transaction_mark drop constraint if exists transaction_mark_kind_check;
alter table transaction_mark drop constraint if exists transaction_mark_kinds;
alter table transaction_mark add constraint transaction_mark_kinds check (kind in ('withdraw', 'deposit', 'pull'));
