-- Exact addresses on the side that is ours, and transactions by how they were filed, one kind at a time.
create index if not exists transaction_mark_kind on transaction_mark (org_id, kind, category);
create index if not exists transfer_order_address_from on transfer_order (org_id, address_from);
create index if not exists deposit_address on deposit (org_id, address);
