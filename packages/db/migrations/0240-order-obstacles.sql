-- What an order waits for that somebody may have to look at: why its bytes cannot be made, or why what the chain has of it cannot be booked. Its last step says it,
-- in a form that is told in the reader's language.
alter table transfer_order add column if not exists obstacle jsonb check (jsonb_typeof(obstacle) = 'object');
grant update (obstacle) on transfer_order to holdfast_app;
grant update (obstacle) on transfer_order to holdfast_system;
