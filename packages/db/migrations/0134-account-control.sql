-- Somebody else may sign for an address of ours, by the word of its chain.
alter table asset_alarm drop constraint if exists asset_alarm_cause_check;
alter table asset_alarm drop constraint if exists asset_alarm_causes;
alter table asset_alarm add constraint asset_alarm_causes check (cause in ('books', 'missing', 'surplus', 'control'));
