-- When whoever asked for a batch was told that it has ended.
alter table batch_transfer add column if not exists told_at bigint check (told_at >= 0);
create index if not exists batch_transfer_untold on batch_transfer (updated_at) where is_final and told_at is null and intent is not null;
create index if not exists batch_transfer_ended on batch_transfer (org_id, updated_at) where is_final and intent is not null;

-- The inbox tells of a batch as a whole, so what ended is looked up without the orders of batches.
drop index if exists transfer_order_ended;
create index if not exists transfer_order_ended_alone on transfer_order (org_id, updated_at) where is_final and batch_id is null;
