-- From when on two signers sign an order that waits after its last approval, as its rule says; null while they have not been told, and for orders that do not wait.

alter table transfer_order add column if not exists signable_at bigint;
grant update (signable_at) on transfer_order to holdfast_app;
grant update (signable_at) on transfer_order to holdfast_system;
