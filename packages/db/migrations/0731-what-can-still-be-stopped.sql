-- What was approved and waits before it is signed: since when people were told that they can still stop it, and until when they can. The end is null once nobody can.
alter table proposal add column if not exists stop_since bigint check (stop_since >= 0);
alter table proposal add column if not exists stop_until bigint check (stop_until >= 0);
create index if not exists proposal_stoppable on proposal (org_id, stop_until) where stop_until is not null;
grant update (stop_since, stop_until) on proposal to holdfast_app;
