-- What the command palette finds by its beginning, each by an index: remarks of orders, and the recipients of payments to several.
create index if not exists transfer_order_remark on transfer_order (org_id, remark, created_at) where remark <> '';
create index if not exists order_output_address on order_output (org_id, address);
