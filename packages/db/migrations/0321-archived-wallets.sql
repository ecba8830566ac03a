-- Since when a wallet is kept out of lists and selectors; null while it is in them. It is watched all the same.
alter table wallet add column if not exists archived_at bigint check (archived_at >= 0);
