-- What the chain carries along for one of several recipients of an order; null if nothing, as for every order to several of before.
alter table order_output add column if not exists memo text;
