-- An application that was refused says by whom, when and why. The same token can be asked for again.
alter table added_token drop constraint if exists added_token_state_check;
alter table added_token drop constraint if exists added_token_states;
alter table added_token add constraint added_token_states check (state in ('applied', 'open', 'refused'));
alter table added_token add column if not exists refused_by uuid;
alter table added_token add column if not exists refused_at bigint check (refused_at >= created_at);
alter table added_token add column if not exists refusal text check (char_length(refusal) between 1 and 200);
alter table added_token drop constraint if exists added_token_refusal;
alter table added_token add constraint added_token_refusal check ((state = 'refused') = (refused_by is not null and refused_at is not null and refusal is not null));
grant update (reason, from_height, requested_by, refused_by, refused_at, refusal) on added_token to holdfast_app;
