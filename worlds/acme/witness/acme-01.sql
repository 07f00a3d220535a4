-- every claim once
select count(*) as claims from claim
