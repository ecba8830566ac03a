-- Comments by which payments to one address are told apart. An address that has any is shared: what comes to it without one of them is held, not credited.
create table if not exists deposit_comment (
  org_id uuid not null,
  chain text not null check (chain ~ '^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$'),
  address text not null,
  comment text not null check (comment ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
  label text check (char_length(label) between 1 and 100),
  created_at bigint not null check (created_at >= 0),
  primary key (org_id, chain, address, comment),
  foreign key (org_id, chain, address) references address (org_id, chain, address)
);
alter table deposit_comment enable row level security;
alter table deposit_comment force row level security;
drop policy if exists own_organisation on deposit_comment;
create policy own_organisation on deposit_comment to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on deposit_comment;
create policy all_organisations on deposit_comment to holdfast_system using (true);
grant select, insert, update (label) on deposit_comment to holdfast_app;
grant select, insert on deposit_comment to holdfast_system;
