-- Letters to members: written in the transaction of what they are about, sent afterwards, again and again until the mail server took them or their time is over.
-- One that is not even tried says why: no mail server, no address, or the member does not want any. Whoever holds the lease is sending it.
create table if not exists mail (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  topic text not null check (topic ~ '^[a-z][a-z0-9_]{0,39}$'),
  about_id uuid not null,
  address text check (char_length(address) between 3 and 254),
  subject text not null check (char_length(subject) between 1 and 200),
  body text not null check (char_length(body) between 1 and 4000),
  state text not null check (state in ('waiting', 'sent', 'not_sent')),
  reason text check (reason ~ '^[a-z][a-z0-9_]{0,39}$'),
  attempts integer not null check (attempts >= 0),
  next_at bigint check (next_at >= 0),
  lease_holder uuid,
  lease_until_at bigint check (lease_until_at >= 0),
  created_at bigint not null check (created_at >= 0),
  ended_at bigint check (ended_at >= created_at),
  primary key (org_id, id),
  foreign key (org_id, person_id) references person (org_id, id),
  check ((state = 'waiting') = (next_at is not null)),
  check ((state = 'waiting') = (ended_at is null)),
  check (state = 'waiting' or lease_holder is null),
  check (state <> 'waiting' or address is not null),
  check ((lease_holder is null) = (lease_until_at is null))
);
alter table mail enable row level security;
alter table mail force row level security;
drop policy if exists own_organisation on mail;
create policy own_organisation on mail to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on mail;
create policy all_organisations on mail to holdfast_system using (true);
grant select, insert on mail to holdfast_app;
grant select, insert, update (state, reason, attempts, next_at, lease_holder, lease_until_at, ended_at) on mail to holdfast_system;

create index if not exists mail_due on mail (next_at) where state = 'waiting';
create index if not exists mail_about on mail (org_id, about_id, created_at);

-- What a member has chosen about letters to them. Without a row: yes, in the language and to the address of their account.
create table if not exists mail_choice (
  org_id uuid not null,
  person_id uuid not null,
  wanted boolean not null,
  address text check (char_length(address) between 3 and 254),
  language text not null check (language in ('en-US', 'zh-CN')),
  updated_at bigint not null check (updated_at >= 0),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references person (org_id, id)
);
alter table mail_choice enable row level security;
alter table mail_choice force row level security;
drop policy if exists own_organisation on mail_choice;
create policy own_organisation on mail_choice to holdfast_app using (org_id = current_setting('app.org_id')::uuid);
drop policy if exists all_organisations on mail_choice;
create policy all_organisations on mail_choice to holdfast_system using (true);
grant select, insert, update (wanted, address, language, updated_at) on mail_choice to holdfast_app;
grant select, insert, update (wanted, address, language, updated_at) on mail_choice to holdfast_system;
