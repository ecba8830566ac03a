-- What screeners signed of orders: the risk that a screening service found. A screener can look again, so it may have said several things of one order; each of
-- them stands in the log, and is kept as long as the log is.
create table if not exists screening_word (
  org_id uuid not null references organisation (id),
  intent_hash bytea not null check (octet_length(intent_hash) = 32),
  machine text not null check (char_length(machine) between 1 and 64),
  screened_at bigint not null check (screened_at >= 0),
  provider text not null check (char_length(provider) between 1 and 64),
  level text not null check (level in ('low', 'medium', 'high', 'severe', 'unknown')),
  bytes bytea not null check (octet_length(bytes) between 1 and 4096),
  sequence bigint not null check (sequence >= 0),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, intent_hash, machine, screened_at)
);
alter table screening_word enable row level security;
alter table screening_word force row level security;
drop policy if exists own_organisation on screening_word;
create policy own_organisation on screening_word to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on screening_word;
create policy all_organisations on screening_word to holdfast_system using (true);
grant select, insert on screening_word to holdfast_app;
grant select, insert on screening_word to holdfast_system;

-- What a screener says can leave an order that waits for people to another rule than the one it was opened under.
grant update (rule_id) on transfer_order to holdfast_app;
grant update (rule_id) on transfer_order to holdfast_system;
