-- What people say of a payment that is held: whose it is, which another person decides (`asked` until then), or why it stays held (`kept`). Nothing is deleted.
create table if not exists deposit_claim (
  org_id uuid not null,
  id uuid not null,
  deposit_id uuid not null,
  state text not null check (state in ('asked', 'confirmed', 'refused', 'withdrawn', 'kept')),
  -- The comment it should have carried; null where it is of nobody who has one.
  comment text check (char_length(comment) between 1 and 64),
  reason text not null check (char_length(reason) between 1 and 200),
  asked_by uuid not null,
  asked_at bigint not null check (asked_at >= 0),
  decided_by uuid,
  decided_at bigint check (decided_at >= asked_at),
  decision_reason text check (char_length(decision_reason) between 1 and 200),
  primary key (org_id, id),
  foreign key (org_id, deposit_id) references deposit (org_id, id),
  foreign key (org_id, asked_by) references person (org_id, id),
  foreign key (org_id, decided_by) references person (org_id, id),
  check ((decided_by is null) = (decided_at is null)),
  check ((decided_by is null) = (state in ('asked', 'kept'))),
  -- Who asks never decides; only who asked takes it back.
  check (state not in ('confirmed', 'refused') or decided_by <> asked_by),
  check (state <> 'withdrawn' or decided_by = asked_by)
);
alter table deposit_claim enable row level security;
alter table deposit_claim force row level security;
drop policy if exists own_organisation on deposit_claim;
create policy own_organisation on deposit_claim to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on deposit_claim;
create policy all_organisations on deposit_claim to holdfast_system using (true);
grant select, insert, update (state, decided_by, decided_at, decision_reason) on deposit_claim to holdfast_app;
grant select, insert on deposit_claim to holdfast_system;

create index if not exists deposit_claim_deposit on deposit_claim (org_id, deposit_id, asked_at);
create index if not exists deposit_held on deposit (org_id, created_at, id) where state in ('unconfirmed', 'confirmed') and sub_status is not null;
