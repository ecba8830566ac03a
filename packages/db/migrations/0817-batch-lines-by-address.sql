-- What screeners said of a batch is shown at each address that its lines pay, also where none of them was ever opened.
create index if not exists batch_transfer_line_address on batch_transfer_line (org_id, address) where address is not null;
