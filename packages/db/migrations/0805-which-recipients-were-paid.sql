-- Of an order to several by which some were paid and others not, as the chain shows it: whether this one was. Null of every other order: there its state says it.
alter table order_output add column if not exists arrived boolean;
grant update (arrived) on order_output to holdfast_app;
