-- Addresses that begin alike are found as those that end alike are (0230): by a column of their own, with the first six characters in small letters, without what all
-- addresses of a network begin with. The books get both columns. Rows from before have none. The new column comes first in its index, so that no other question takes it.
alter table address add column if not exists address_start text;
alter table transfer_order add column if not exists address_to_start text;
alter table order_output add column if not exists address_start text;
alter table book_entry add column if not exists address_start text;
alter table book_entry add column if not exists address_end text;
alter table personal_address add column if not exists address_start text;
alter table personal_address add column if not exists address_end text;
create index if not exists address_by_start on address (address_start, org_id);
create index if not exists transfer_order_by_start on transfer_order (address_to_start, org_id) where txid is not null;
create index if not exists order_output_by_start on order_output (address_start, org_id);
create index if not exists book_entry_by_start on book_entry (address_start, org_id);
create index if not exists book_entry_by_end on book_entry (org_id, address_end);
create index if not exists personal_address_by_start on personal_address (address_start, org_id);
create index if not exists personal_address_by_end on personal_address (org_id, address_end);
