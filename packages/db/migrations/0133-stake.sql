-- Coin of a sub-wallet that is staked: still its own, and not to be paid with until the chain has given it back.
alter table ledger_account drop constraint if exists ledger_account_kind_check;
alter table ledger_account drop constraint if exists ledger_account_check;
alter table ledger_account drop constraint if exists ledger_account_check1;
alter table ledger_account drop constraint if exists ledger_account_kinds;
alter table ledger_account drop constraint if exists ledger_account_owner;
alter table ledger_account drop constraint if exists ledger_account_balance;
alter table ledger_account add constraint ledger_account_kinds check (kind in ('available', 'held', 'staked', 'external', 'fee'));
alter table ledger_account add constraint ledger_account_owner check ((kind in ('available', 'held', 'staked')) = (sub_wallet_id is not null));
alter table ledger_account add constraint ledger_account_balance check ((kind in ('available', 'held', 'staked')) = (balance is not null));
