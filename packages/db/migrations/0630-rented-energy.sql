-- Several lenders of energy in their sequence, and energy that is rented where none of them lends.
alter table tron_agent add column if not exists further_lenders uuid[] not null default '{}' check (cardinality(further_lenders) <= 8);
alter table tron_agent add column if not exists rents boolean not null default false;
-- Whose first address pays for rented energy.
alter table tron_agent add column if not exists payer_sub_wallet_id uuid;
-- Base units of coin: the most that is paid for rented energy without asking, in 24 hours and for one payment.
alter table tron_agent add column if not exists rent_day numeric(78,0) not null default 0 check (rent_day >= 0);
alter table tron_agent add column if not exists rent_max numeric(78,0) not null default 0 check (rent_max >= 0);
alter table tron_agent drop constraint if exists tron_agent_payer;
alter table tron_agent add constraint tron_agent_payer foreign key (org_id, payer_sub_wallet_id) references sub_wallet (org_id, id);
grant update (further_lenders, rents, payer_sub_wallet_id, rent_day, rent_max) on tron_agent to holdfast_app;

alter table tron_supply drop constraint if exists tron_supply_state_check;
alter table tron_supply add constraint tron_supply_state_check check (state in ('waiting', 'lending', 'renting', 'ready', 'burning', 'stopped', 'returning', 'over'));
-- Who was passed over before, and why, in the sequence in which they were asked.
alter table tron_supply add column if not exists passed jsonb not null default '[]';
-- The order that pays who rents energy out, the name under which they know theirs, the units that were asked for, and base units of coin that are paid.
alter table tron_supply add column if not exists rent_order_id uuid;
alter table tron_supply add column if not exists rental text check (char_length(rental) between 1 and 64);
alter table tron_supply add column if not exists rented numeric(78,0) check (rented > 0);
alter table tron_supply add column if not exists rent numeric(78,0) check (rent > 0);
alter table tron_supply drop constraint if exists tron_supply_rent_order;
alter table tron_supply add constraint tron_supply_rent_order foreign key (org_id, rent_order_id) references transfer_order (org_id, id);
grant update (passed, rent_order_id, rental, rented, rent) on tron_supply to holdfast_app;
