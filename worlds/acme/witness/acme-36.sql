-- total loss by policy; an amount counts once for a policy, however many of its coverages the claim was made under
with marked as (
  select a.Claim_Amount_Identifier as amount_id, a.Claim_Identifier as claim_id, a.Claim_Amount as amount, m.kind
  from claim_amount a
  join (select Claim_Amount_Identifier, 'loss payment' as kind from loss_payment
        union all select Claim_Amount_Identifier, 'loss reserve' from loss_reserve
        union all select Claim_Amount_Identifier, 'expense payment' from expense_payment
        union all select Claim_Amount_Identifier, 'expense reserve' from expense_reserve) m
    on m.Claim_Amount_Identifier = a.Claim_Amount_Identifier
),
claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
)
select cp.policy_number, sum(m.amount) as total_loss
from marked m left join claim_policy cp on cp.claim_id = m.claim_id
group by cp.policy_number
