-- How far each chain has been read belongs to nobody, and lists say it beside each deposit.
drop policy if exists everybody_reads on chain_cursor;
create policy everybody_reads on chain_cursor for select to holdfast_app using (true);
grant select (chain, height) on chain_cursor to holdfast_app;
