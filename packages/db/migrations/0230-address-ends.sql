-- People compare addresses by their ends, and so do the lists: the last four characters, in small letters. They have a column of their own, because under row level
-- security an index by what a function makes of a column is not used, and every page would read every order there is. Rows from before have none.
alter table address add column if not exists address_end text;
alter table transfer_order add column if not exists address_to_end text;
alter table order_output add column if not exists address_end text;
create index if not exists address_by_end on address (org_id, address_end);
create index if not exists transfer_order_by_end on transfer_order (org_id, address_to_end) where txid is not null;
create index if not exists order_output_by_end on order_output (org_id, address_end);
