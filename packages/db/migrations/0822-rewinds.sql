-- The height of the block down to which a reader gives up blocks of a chain, from before the first effect is taken back until the blocks are deleted. Null at
-- all other times. What is taken back in part is taken back in whole, although the chain may have those blocks again.
alter table chain_cursor add column if not exists rewinding_to bigint check (rewinding_to >= 0);
