-- days from opening to closing, over closed claims, each once for a policy
with claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
)
select cp.policy_number, avg(c.Claim_Close_Date - c.Claim_Open_Date) as average_days
from claim c left join claim_policy cp on cp.claim_id = c.Claim_Identifier
where c.Claim_Close_Date is not null
group by cp.policy_number
