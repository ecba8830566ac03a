-- An event of the outbox is known by its organisation and its number. Nobody ever asked for one by its id, which cost an entry of an index when it was written and
-- another when it was told; new ones have none.
alter table outbox alter column id drop not null;
alter table outbox drop constraint if exists outbox_org_id_id_key;

-- The orders in one state, in the order of their times, are those of `transfer_order_in_state`.
drop index if exists transfer_order_approving;

-- What closes nothing, and the place of an order itself, which is nobody's word, had an entry that says nothing.
create unique index if not exists ledger_transfer_closing on ledger_transfer (org_id, closes) where closes is not null;
alter table ledger_transfer drop constraint if exists ledger_transfer_org_id_closes_key;
create unique index if not exists order_log_place_of_person on order_log_place (org_id, order_id, person_id) where person_id is not null;
alter table order_log_place drop constraint if exists order_log_place_org_id_order_id_person_id_key;
