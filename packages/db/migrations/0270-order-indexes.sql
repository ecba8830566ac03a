-- A page of the orders of one sub-wallet, or of those in one state, is read from the end of an index, however many others there are.
create index if not exists transfer_order_of_sub_wallet on transfer_order (org_id, sub_wallet_id, created_at, id);
create index if not exists transfer_order_in_state on transfer_order (org_id, state, created_at, id);
-- How many sub-wallets a wallet shows and hides is counted without reading them.
create index if not exists sub_wallet_shown on sub_wallet (org_id, wallet_id, hidden);
