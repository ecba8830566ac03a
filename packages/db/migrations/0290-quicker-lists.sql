-- How far each chain has been read belongs to nobody, and lists say it beside each deposit.
drop policy if exists everybody_reads on chain_cursor;
create policy everybody_reads on chain_cursor for select to holdfast_app using (true);
grant select (chain, height) on chain_cursor to holdfast_app;

-- A deposit that was credited stays in the lists whatever becomes of it, so it is counted once.
create index if not exists deposit_credited on deposit (org_id, credited_at);
-- How much somebody asked for still waits, however much they asked for.
create index if not exists proposal_initiator_open on proposal (org_id, initiator) where is_open;
create index if not exists sub_wallet_hidden on sub_wallet (org_id, wallet_id) where hidden;
