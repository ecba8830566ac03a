-- What is watched has an id of its own, under which webhooks tell of it.
alter table tron_target add column if not exists id uuid not null default gen_random_uuid();
create unique index if not exists tron_target_id on tron_target (org_id, id);
create index if not exists tron_target_low on tron_target (org_id, low_since) where low_since is not null;
