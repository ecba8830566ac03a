-- Whether an attempt to sign was handed over to the signers' protocol, and when. While it was not, no signer has begun a session,
-- so no signature can exist. Written with the attempt; of an attempt without a row here nothing is known, which counts as begun.
create table if not exists signing_start (
  org_id uuid not null,
  order_id uuid not null,
  number integer not null,
  handed_over_at bigint check (handed_over_at >= 0),
  primary key (org_id, order_id, number),
  foreign key (org_id, order_id, number) references signing_attempt (org_id, order_id, number)
);
alter table signing_start enable row level security;
alter table signing_start force row level security;
drop policy if exists own_organisation on signing_start;
create policy own_organisation on signing_start to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on signing_start;
create policy all_organisations on signing_start to holdfast_system using (true);
grant select, insert, update (handed_over_at) on signing_start to holdfast_app;
grant select, insert, update (handed_over_at) on signing_start to holdfast_system;
