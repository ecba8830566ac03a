-- `burned_at` says when it was read what energy a payment used, whether or not it burned some: what is shown of the last 24 hours goes by the same time as
-- budgets. The owner of the table is let through the wall for as long as this takes.
alter table tron_supply no force row level security;
update tron_supply set burned_at = tron_supply.updated_at where used is not null and burned_at is null;
alter table tron_supply force row level security;
