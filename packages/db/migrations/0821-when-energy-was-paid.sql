-- When it was read what a payment burned for its energy, and when it was decided to rent energy for it: budgets of 24 hours go by these, since a payment may
-- have waited for days before. Null where nothing was burned, or nothing was rented.
alter table tron_supply add column if not exists burned_at bigint check (burned_at >= 0);
alter table tron_supply add column if not exists rented_at bigint check (rented_at >= 0);
create index if not exists tron_supply_burned on tron_supply (org_id, burned_at) where burned_at is not null;
create index if not exists tron_supply_rented on tron_supply (org_id, rented_at) where rented_at is not null;
grant update (burned_at, rented_at) on tron_supply to holdfast_app;

-- What was burned or rented before counts by its last change, which is no earlier: no budget is exceeded on the day of the upgrade. The owner of the tables
-- is let through the wall for as long as this takes.
alter table tron_supply no force row level security;
update tron_supply set burned_at = tron_supply.updated_at where burned > 0 and burned_at is null;
update tron_supply set rented_at = tron_supply.updated_at where rent is not null and rented_at is null;
alter table tron_supply force row level security;
