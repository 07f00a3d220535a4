-- claims by policy; a claim under two coverages of one policy is one claim
with claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
)
select cp.policy_number, count(distinct c.Claim_Identifier) as claims
from claim c left join claim_policy cp on cp.claim_id = c.Claim_Identifier
group by cp.policy_number
