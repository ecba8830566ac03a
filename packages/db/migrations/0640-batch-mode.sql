-- How the lines of a batch are paid on networks where each could have a transaction of its own: so, or many by one call of a contract.
alter table batch_transfer add column if not exists mode text not null default 'single' check (mode in ('single', 'contract'));
