-- What an order needs to be signed and proven besides itself, and who may run a task that only one program at a time should.

-- Where in the log an order's intent (no person) and each approval of it stand.
create table if not exists order_log_place (
  org_id uuid not null,
  order_id uuid not null,
  sequence bigint not null check (sequence >= 0),
  person_id uuid,
  primary key (org_id, order_id, sequence),
  unique (org_id, order_id, person_id),
  foreign key (org_id, order_id) references transfer_order (org_id, id)
);
alter table order_log_place enable row level security;
alter table order_log_place force row level security;
drop policy if exists own_organisation on order_log_place;
create policy own_organisation on order_log_place to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on order_log_place;
create policy all_organisations on order_log_place to holdfast_system using (true);
grant select, insert on order_log_place to holdfast_app;
grant select, insert on order_log_place to holdfast_system;

-- Every session in which signers were asked to sign an order, written before it is opened. Without an outcome nobody knows
-- how it ended, and a signature may exist: such an attempt is repeated by the same parties before anything else is believed.
create table if not exists signing_attempt (
  org_id uuid not null,
  order_id uuid not null,
  number integer not null check (number >= 1),
  parties integer[] not null check (cardinality(parties) = 2),
  started_at bigint not null check (started_at >= 0),
  ended_at bigint check (ended_at >= started_at),
  outcome text check (outcome in ('signed', 'refused', 'unclear', 'cheat')),
  party integer check (party between 1 and 3),
  failed_check text check (failed_check ~ '^c[0-9]{1,2}$'),
  reason text check (char_length(reason) <= 1000),
  primary key (org_id, order_id, number),
  foreign key (org_id, order_id) references transfer_order (org_id, id),
  check ((outcome is null) = (ended_at is null))
);
alter table signing_attempt enable row level security;
alter table signing_attempt force row level security;
drop policy if exists own_organisation on signing_attempt;
create policy own_organisation on signing_attempt to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on signing_attempt;
create policy all_organisations on signing_attempt to holdfast_system using (true);
grant select, insert, update (ended_at, outcome, party, failed_check, reason) on signing_attempt to holdfast_app;
grant select, insert, update (ended_at, outcome, party, failed_check, reason) on signing_attempt to holdfast_system;

-- A task such as reading one chain, and the program that runs it until `expires_at` unless it says again that it lives.
create table if not exists runner (
  name text primary key check (name ~ '^[-a-z0-9_:.A-Z]{1,120}$'),
  holder uuid not null,
  expires_at bigint not null check (expires_at >= 0)
);
alter table runner enable row level security;
alter table runner force row level security;
drop policy if exists all_organisations on runner;
create policy all_organisations on runner to holdfast_system using (true);
grant select, insert, update, delete on runner to holdfast_system;

-- Which request made an order.
create index if not exists idempotency_result on idempotency (org_id, result_id);
