-- What people look for in the log: of each entry its kind, its time, who it is of and the words in it. Read out of the entry itself; whoever checks the log needs none of it.
create table if not exists log_fact (
  org_id uuid not null,
  sequence bigint not null check (sequence >= 0),
  kind text not null check (kind ~ '^[a-z][a-z-]{0,39}$'),
  at bigint not null check (at >= 0),
  person_id uuid,
  words text not null check (char_length(words) <= 2000),
  primary key (org_id, sequence),
  foreign key (org_id, sequence) references log_entry (org_id, sequence)
);
alter table log_fact enable row level security;
alter table log_fact force row level security;
drop policy if exists own_organisation on log_fact;
create policy own_organisation on log_fact to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on log_fact;
create policy all_organisations on log_fact to holdfast_system using (true);
grant select, insert on log_fact to holdfast_app;
grant select, insert on log_fact to holdfast_system;
create index if not exists log_fact_kind on log_fact (org_id, kind, sequence);
create index if not exists log_fact_person on log_fact (org_id, person_id, sequence) where person_id is not null;
create index if not exists log_fact_time on log_fact (org_id, at);
