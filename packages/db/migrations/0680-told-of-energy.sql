-- When people were told last that a payment waits for energy, or that energy was paid for and did not come, and which of it: by e-mail, in their inbox and by
-- webhooks.
alter table tron_supply add column if not exists told_at bigint check (told_at >= 0);
alter table tron_supply add column if not exists told_reason text check (char_length(told_reason) between 1 and 40);
create index if not exists tron_supply_told on tron_supply (org_id, told_at) where told_at is not null;
grant update (told_at, told_reason) on tron_supply to holdfast_app;
