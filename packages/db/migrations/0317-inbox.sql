-- Until when a person has seen what happened. What happened itself is read from where it stands, so nothing is ever told of what was rolled back.
create table if not exists inbox_mark (
  org_id uuid not null,
  person_id uuid not null,
  seen_until bigint not null check (seen_until >= 0),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table inbox_mark enable row level security;
alter table inbox_mark force row level security;
drop policy if exists own_organisation on inbox_mark;
create policy own_organisation on inbox_mark to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on inbox_mark;
create policy all_organisations on inbox_mark to holdfast_system using (true);
grant select, insert, update (seen_until) on inbox_mark to holdfast_app;
grant select, insert, update (seen_until) on inbox_mark to holdfast_system;

-- What ended last, and what of a person is still under way, however many orders there are.
create index if not exists transfer_order_ended on transfer_order (org_id, updated_at) where is_final;
create index if not exists transfer_order_own_open on transfer_order (org_id, initiator) where not is_final;
create index if not exists member_event_time on member_event (org_id, at);
