-- Notifications of an organisation's own receivers (webhooks): where they go, what was told, and how each try ended.

-- Keys that sign notifications (Ed25519). The last one that is not retired signs; the secret half is sealed by the server.
create table if not exists webhook_key (
  org_id uuid not null references organisation (id),
  number bigint not null check (number >= 1),
  key_id text not null check (key_id ~ '^[0-9a-f]{16}$'),
  public_key bytea not null check (octet_length(public_key) = 32),
  sealed_secret text not null check (char_length(sealed_secret) between 1 and 500),
  created_at bigint not null check (created_at >= 0),
  retired_at bigint check (retired_at >= created_at),
  primary key (org_id, number),
  unique (org_id, key_id)
);
alter table webhook_key enable row level security;
alter table webhook_key force row level security;
drop policy if exists own_organisation on webhook_key;
create policy own_organisation on webhook_key to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on webhook_key;
create policy all_organisations on webhook_key to holdfast_system using (true);
grant select, insert, update (retired_at) on webhook_key to holdfast_app;
grant select, insert, update (retired_at) on webhook_key to holdfast_system;

-- A receiver. `sides` says since when each kind of record is told. `failures` counts failed tries in a row since `failing_since_at`.
create table if not exists webhook_endpoint (
  org_id uuid not null references organisation (id),
  id uuid not null,
  url text not null check (char_length(url) between 1 and 2048),
  sides jsonb not null,
  confirmations_step integer not null check (confirmations_step between 0 and 1000),
  pause_after integer not null check (pause_after between 1 and 1000),
  paused_at bigint check (paused_at >= 0),
  pause_reason text check (pause_reason in ('person', 'failures')),
  failures integer not null check (failures >= 0),
  failing_since_at bigint check (failing_since_at >= 0),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  removed_at bigint check (removed_at >= created_at),
  primary key (org_id, id),
  check ((paused_at is null) = (pause_reason is null)),
  check ((failures = 0) = (failing_since_at is null))
);
alter table webhook_endpoint enable row level security;
alter table webhook_endpoint force row level security;
drop policy if exists own_organisation on webhook_endpoint;
create policy own_organisation on webhook_endpoint to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on webhook_endpoint;
create policy all_organisations on webhook_endpoint to holdfast_system using (true);
grant select, insert, update (url, sides, confirmations_step, pause_after, paused_at, pause_reason, failures, failing_since_at, updated_at, removed_at) on webhook_endpoint to holdfast_app;
grant select, insert, update (url, sides, confirmations_step, pause_after, paused_at, pause_reason, failures, failing_since_at, updated_at, removed_at) on webhook_endpoint to holdfast_system;

-- How far one receiver has been told of one record. Its row is the lock under which the record's notifications are numbered and released.
create table if not exists webhook_record (
  org_id uuid not null,
  endpoint_id uuid not null,
  record_id uuid not null,
  side text not null check (side ~ '^[a-z][a-z0-9_-]{0,39}$'),
  seq bigint not null check (seq >= 1),
  source_seq bigint not null check (source_seq >= 0),
  told text not null check (char_length(told) <= 200),
  confirmations bigint not null check (confirmations >= 0),
  primary key (org_id, endpoint_id, record_id),
  foreign key (org_id, endpoint_id) references webhook_endpoint (org_id, id)
);
alter table webhook_record enable row level security;
alter table webhook_record force row level security;
drop policy if exists own_organisation on webhook_record;
create policy own_organisation on webhook_record to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on webhook_record;
create policy all_organisations on webhook_record to holdfast_system using (true);
grant select, insert, update (seq, source_seq, told, confirmations) on webhook_record to holdfast_app;
grant select, insert, update (seq, source_seq, told, confirmations) on webhook_record to holdfast_system;

-- One notification for one receiver. `body` is the JSON text that is sent, without the number of the try. A notification without
-- `next_at` waits for an earlier one of its record. Whoever holds the lease is sending it.
create table if not exists webhook_delivery (
  org_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  record_id uuid not null,
  wallet_id uuid,
  side text not null check (side ~ '^[a-z][a-z0-9_-]{0,39}$'),
  event text not null check (event ~ '^[a-z][a-z0-9_.]{0,79}$'),
  seq bigint not null check (seq >= 1),
  request_id text check (char_length(request_id) <= 128),
  biz_status integer check (biz_status >= 0),
  body text not null check (char_length(body) between 2 and 20000),
  state text not null check (state in ('retrying', 'success', 'failed', 'stopped')),
  attempts integer not null check (attempts >= 0),
  tries_left integer not null check (tries_left >= 0),
  tries_max integer not null check (tries_max >= 1),
  next_at bigint check (next_at >= 0),
  last_at bigint check (last_at >= 0),
  lease_holder uuid,
  lease_until_at bigint check (lease_until_at >= 0),
  http_code integer check (http_code between 0 and 999),
  failure text check (failure ~ '^[a-z][a-z0-9_]{0,39}$'),
  duration_ms integer check (duration_ms >= 0),
  created_at bigint not null check (created_at >= 0),
  updated_at bigint not null check (updated_at >= created_at),
  primary key (org_id, id),
  unique (org_id, endpoint_id, record_id, seq),
  foreign key (org_id, endpoint_id) references webhook_endpoint (org_id, id),
  check ((lease_holder is null) = (lease_until_at is null)),
  check (state = 'retrying' or (next_at is null and lease_holder is null))
);
alter table webhook_delivery enable row level security;
alter table webhook_delivery force row level security;
drop policy if exists own_organisation on webhook_delivery;
create policy own_organisation on webhook_delivery to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on webhook_delivery;
create policy all_organisations on webhook_delivery to holdfast_system using (true);
grant select, insert, update (state, attempts, tries_left, tries_max, next_at, last_at, lease_holder, lease_until_at, http_code, failure, duration_ms, updated_at) on webhook_delivery to holdfast_app;
grant select, insert, update (state, attempts, tries_left, tries_max, next_at, last_at, lease_holder, lease_until_at, http_code, failure, duration_ms, updated_at) on webhook_delivery to holdfast_system;

create index if not exists webhook_delivery_due on webhook_delivery (org_id, endpoint_id, next_at) where state = 'retrying' and next_at is not null;
create index if not exists webhook_delivery_tests on webhook_delivery (org_id, endpoint_id) where state = 'retrying' and side = 'test';
create index if not exists webhook_delivery_newest on webhook_delivery (org_id, created_at);
create index if not exists webhook_delivery_undone on webhook_delivery (org_id, endpoint_id, record_id, seq) where state in ('retrying', 'failed');

-- Every try, written before anything is sent. One without an end is one whose answer nobody has written down.
create table if not exists webhook_attempt (
  org_id uuid not null,
  notify_id uuid not null,
  number integer not null check (number >= 1),
  url text not null check (char_length(url) between 1 and 2048),
  address text check (char_length(address) <= 64),
  headers jsonb not null,
  at bigint not null check (at >= 0),
  ended_at bigint check (ended_at >= 0),
  duration_ms integer check (duration_ms >= 0),
  http_code integer check (http_code between 0 and 999),
  failure text check (failure ~ '^[a-z][a-z0-9_]{0,39}$'),
  answer text check (char_length(answer) <= 4096),
  answer_cut boolean not null,
  primary key (org_id, notify_id, number),
  foreign key (org_id, notify_id) references webhook_delivery (org_id, id)
);
alter table webhook_attempt enable row level security;
alter table webhook_attempt force row level security;
drop policy if exists own_organisation on webhook_attempt;
create policy own_organisation on webhook_attempt to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on webhook_attempt;
create policy all_organisations on webhook_attempt to holdfast_system using (true);
grant select, insert, update (address, headers, ended_at, duration_ms, http_code, failure, answer, answer_cut) on webhook_attempt to holdfast_app;
grant select, insert, update (address, headers, ended_at, duration_ms, http_code, failure, answer, answer_cut) on webhook_attempt to holdfast_system;

-- Who changed what about the receivers, and when. Append-only.
create table if not exists webhook_change (
  org_id uuid not null,
  id uuid not null,
  endpoint_id uuid,
  person_id uuid,
  action text not null check (action ~ '^[a-z][a-z0-9_]{0,39}$'),
  detail jsonb not null,
  at bigint not null check (at >= 0),
  primary key (org_id, id),
  foreign key (org_id, endpoint_id) references webhook_endpoint (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table webhook_change enable row level security;
alter table webhook_change force row level security;
drop policy if exists own_organisation on webhook_change;
create policy own_organisation on webhook_change to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on webhook_change;
create policy all_organisations on webhook_change to holdfast_system using (true);
grant select, insert on webhook_change to holdfast_app;
grant select, insert on webhook_change to holdfast_system;

create index if not exists webhook_change_newest on webhook_change (org_id, at);
