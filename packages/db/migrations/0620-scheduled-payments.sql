-- Why a scheduled payment was not made yet, by its date: days of UTC, counted from 1 January 1970. What is kept of a date that was skipped says why it was.
create table if not exists scheduled_reason (
  org_id uuid not null references organisation (id),
  standing_order_id uuid not null,
  day integer not null check (day >= 0),
  reason text not null check (reason ~ '^[a-z][a-z_]{0,39}$'),
  detail text check (char_length(detail) <= 1000),
  at bigint not null check (at >= 0),
  primary key (org_id, standing_order_id, day)
);
alter table scheduled_reason enable row level security;
alter table scheduled_reason force row level security;
drop policy if exists own_organisation on scheduled_reason;
create policy own_organisation on scheduled_reason to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on scheduled_reason;
create policy all_organisations on scheduled_reason to holdfast_system using (true);
grant select, insert, update (reason, detail, at) on scheduled_reason to holdfast_app;
grant select, insert, update (reason, detail, at) on scheduled_reason to holdfast_system;
